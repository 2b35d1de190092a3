package report

import "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

// SARIF returns the report with the defaults that are not written.
func (r *Report) SARIF(o Options) *sarif.Report { return r.sarif(o) }
