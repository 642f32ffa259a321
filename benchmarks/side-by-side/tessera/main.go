// Appends the body of each request to a log in a folder of this machine, and answers with its index once it is durable.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

// For the requests of 64 connections; by default, a batch has 256 entries and waits for 250 ms.
const (
	batchSize = 64
	batchAge  = 2 * time.Millisecond
)

func main() {
	ctx := context.Background()
	appender, err := open(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /api/v1/decisions", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		index, err := appender.Add(ctx, tessera.NewEntry(body))()
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(response, http.StatusCreated, map[string]uint64{"seq": index.Index})
	})
	http.HandleFunc("GET /cpu", func(response http.ResponseWriter, _ *http.Request) {
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(response, http.StatusOK, map[string]int64{"user": micros(usage.Utime), "system": micros(usage.Stime)})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listens on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

func open(ctx context.Context, folder string) (*tessera.Appender, error) {
	key, _, err := note.GenerateKey(rand.Reader, "bench")
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(key)
	if err != nil {
		return nil, err
	}
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return nil, err
	}
	options := tessera.NewAppendOptions().WithCheckpointSigner(signer).WithBatching(batchSize, batchAge)
	appender, _, _, err := tessera.NewAppender(ctx, driver, options)
	return appender, err
}

func answer(response http.ResponseWriter, status int, value any) {
	response.Header().Set("content-type", "application/json")
	response.WriteHeader(status)
	if err := json.NewEncoder(response).Encode(value); err != nil {
		log.Print(err)
	}
}

func micros(time syscall.Timeval) int64 {
	return int64(time.Sec)*1_000_000 + int64(time.Usec)
}
