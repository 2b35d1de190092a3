package site

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
)

// Handler serves the site, and answers its page. The hosts are those by whose names it
// may be asked: a page elsewhere whose name was made to lead here is told nothing.
func Handler(hosts ...string) (http.Handler, error) {
	files, err := Make(Served)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", files.serve)
	mux.HandleFunc("POST /answer", answer)
	guarded := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, host := range hosts {
			if strings.EqualFold(r.Host, host) {
				guarded.ServeHTTP(w, r)
				return
			}
		}
		http.Error(w, "this is served under its own name only", http.StatusMisdirectedRequest)
	}), nil
}

func (f Files) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	text, ok := f[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", types[path.Ext(name)])
	h.Set("Content-Security-Policy", Policy+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// types are those of the files by their endings. What the system has may be another.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json",
}

// answer answers a request of the page. What is too large the answer says itself.
func answer(w http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(io.LimitReader(r.Body, api.MaxRequest+1))
	if err != nil {
		http.Error(w, "the request cannot be read", http.StatusBadRequest)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(api.Answer(request)) // who asked may be gone
}

// Serve serves the site on this machine only, at a port of which 0 is any that is free,
// until a signal comes. It tells the address once it listens.
func Serve(port uint16, stop <-chan os.Signal, tell func(address string) error) error {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(port)})
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	handler, err := Handler(address, strings.Replace(address, "127.0.0.1", "localhost", 1))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if err := tell("http://" + address + "/"); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case err := <-ended:
		return err
	case <-stop:
		return server.Close()
	}
}
