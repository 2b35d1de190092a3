package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Long:  "Writes a manual page for objchange and for each of its commands into the folder DIR,\nwhich is made if it is not there.",
		Example: `  objchange man share/man/man1
  man share/man/man1/objchange-replay.1`,
		Args: wantArgs(cobra.ExactArgs(1), "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			return writeManual(cmd.Root(), args[0])
		},
	}
}

// writeManual writes a page for each command and topic. It changes the commands'
// texts, which are then of no use for help.
func writeManual(root *cobra.Command, dir string) error {
	root.DisableAutoGenTag = true // no footer that tells the tool and the day
	header := doc.GenManHeader{Title: "OBJCHANGE", Section: "1", Source: "objchange", Manual: "objchange"}
	for _, cmd := range append(root.Commands(), root) {
		cmd.Long = manText(cmd.Long)
		if cmd.Name() == "completion" {
			cmd.Hidden = true // a page for each shell is more than the rest
		}
		if !cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writePage(cmd, header, dir); err != nil {
			return fmt.Errorf("writing manual pages: %w", err)
		}
	}
	if err := doc.GenManTree(root, &header, dir); err != nil {
		return fmt.Errorf("writing manual pages: %w", err)
	}
	return nil
}

func writePage(cmd *cobra.Command, header doc.GenManHeader, dir string) error {
	file, err := os.Create(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
	if err != nil {
		return err
	}
	defer file.Close()
	return doc.GenMan(cmd, &header, file)
}

// manText returns a text of help as the Markdown that manual pages are made of:
// what is indented is code, and the exit status is a section at the end of each.
func manText(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(text, exitStatus))
	text = strings.ReplaceAll("\n"+text, "\n  ", "\n      ")
	status := strings.TrimPrefix(exitStatus, "Exit status:\n\n")
	return text[1:] + "\n\n# EXIT STATUS\n\n" + strings.ReplaceAll("\n"+status, "\n  ", "\n      ")[1:]
}
