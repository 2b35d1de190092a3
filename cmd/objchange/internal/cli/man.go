package cli

import (
	"fmt"
	"os"

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
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // no footer that tells the tool and the day
			header := &doc.GenManHeader{Title: "OBJCHANGE", Section: "1", Source: "objchange", Manual: "objchange"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("writing manual pages: %w", err)
			}
			return nil
		},
	}
}
