// Reads a log with the client of filippo.io/torchwood, and prints what it found as JSON. Anything that does
// not prove to be in the signed tree ends it with an error.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A job is one log, and what is said to be in it.
type job struct {
	// Public needs no key and has the hashes alone.
	Public string `json:"public"`
	// Private has the entries as well.
	Private string   `json:"private"`
	Key     string   `json:"key"`
	Origin  string   `json:"origin"`
	Vkey    string   `json:"vkey"`
	Leaves  []string `json:"leaves"`
	Proofs  []proof  `json:"proofs"`
}

type proof struct {
	Index int64  `json:"index"`
	Text  string `json:"text"`
}

type result struct {
	Size    int64    `json:"size"`
	Hashes  []string `json:"hashes"`
	Entries []string `json:"entries"`
}

// withKey adds the key of the ledger to each request.
type withKey struct{ key string }

func (t withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Ledger-Key", t.key)
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	log.SetFlags(0)
	var given job
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		log.Fatal(err)
	}
	found, err := read(context.Background(), given)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}

func read(ctx context.Context, given job) (*result, error) {
	verifier, err := note.NewVerifier(given.Vkey)
	if err != nil {
		return nil, err
	}
	policy := torchwood.ThresholdPolicy(2, torchwood.OriginPolicy(given.Origin), torchwood.SingleVerifierPolicy(verifier))
	public, err := torchwood.NewTileFetcher(given.Public)
	if err != nil {
		return nil, err
	}
	signed, err := public.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return nil, err
	}
	checkpoint, _, err := torchwood.VerifyCheckpoint(signed, policy)
	if err != nil {
		return nil, err
	}
	found := &result{Size: checkpoint.N}
	if found.Hashes, err = hashes(ctx, public, checkpoint.Tree); err != nil {
		return nil, err
	}
	for _, one := range given.Proofs {
		hash, err := parse(given.Leaves[one.Index])
		if err != nil {
			return nil, err
		}
		if err := torchwood.VerifyProof(policy, hash, []byte(one.Text)); err != nil {
			return nil, fmt.Errorf("proof of %d: %w", one.Index, err)
		}
	}
	found.Entries, err = entries(ctx, given, checkpoint.Tree)
	return found, err
}

// hashes reads the hash of each leaf, and checks the tiles against the root.
func hashes(ctx context.Context, tiles torchwood.TileReader, tree tlog.Tree) ([]string, error) {
	indexes := make([]int64, tree.N)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, int64(i))
	}
	read, err := torchwood.TileHashReaderWithContext(ctx, tree, tiles).ReadHashes(indexes)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(read))
	for i, hash := range read {
		texts[i] = hash.String()
	}
	return texts, nil
}

// entries reads each entry, and checks it against the tree.
func entries(ctx context.Context, given job, tree tlog.Tree) ([]string, error) {
	client := &http.Client{Transport: withKey{given.Key}}
	private, err := torchwood.NewTileFetcher(given.Private, torchwood.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	reader, err := torchwood.NewClient(private)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, entry := range reader.AllEntries(ctx, tree, 0) {
		all = append(all, string(entry))
	}
	return all, reader.Err()
}

func parse(text string) (tlog.Hash, error) {
	var hash tlog.Hash
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(decoded) != len(hash) {
		return hash, fmt.Errorf("%q is no hash", text)
	}
	copy(hash[:], decoded)
	return hash, nil
}
