package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"golang.org/x/mod/sumdb/note"
)

type object map[string]any

var sizes = []uint64{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 127, 128, 129, 255, 256, 257, 300,
	511, 512, 513, 600, 1023, 1024, 1025, 65535, 65536, 65537, 1000000}

const origin = "example.com/log"

// Writes the file vectors/tlog/proofs.json.
func writeVectors(out io.Writer) {
	t := newTree()
	t.grow(sizes[len(sizes)-1])
	trees, inclusion, consistency, spans := []object{}, []object{}, []object{}, []object{}
	signer, vkey := fixedSigner()
	for _, size := range sizes {
		root := t.root(size)
		text := fmt.Sprintf("%s\n%d\n%s\n", origin, size, base64.StdEncoding.EncodeToString(root))
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		must(err)
		trees = append(trees, object{"size": size, "root": root, "checkpoint": string(signed)})
		for _, index := range sample(size) {
			if index < size {
				hashes := t.rehash(proof.Inclusion(index, size))
				must(proof.VerifyInclusion(hasher, index, size, leaf(index), hashes, root))
				inclusion = append(inclusion, object{"index": index, "size": size, "proof": hashes})
			}
			if index > 0 {
				hashes := t.rehash(proof.Consistency(index, size))
				must(proof.VerifyConsistency(hasher, index, size, hashes, t.root(index), root))
				consistency = append(consistency, object{"first": index, "second": size,
					"first_root": t.root(index), "proof": hashes})
			}
			hi := min(index+3, size)
			left, right := compact.RangeNodes(0, index, nil), compact.RangeNodes(hi, size, nil)
			spans = append(spans, object{"lo": index, "hi": hi, "size": size,
				"left": t.read(left), "right": t.read(right)})
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(object{"verifier_key": vkey, "trees": trees, "inclusion": inclusion,
		"consistency": consistency, "ranges": spans}))
}

// Positions in a tree, among them its edges.
func sample(size uint64) []uint64 {
	picked := []uint64{}
	for _, index := range []uint64{0, 1, size / 3, size / 2, size - 1, size} {
		if index <= size && (len(picked) == 0 || picked[len(picked)-1] < index) {
			picked = append(picked, index)
		}
	}
	return picked
}

// A signer whose private key everybody knows.
func fixedSigner() (note.Signer, string) {
	seed := bytes.Repeat([]byte{7}, ed25519.SeedSize)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	vkey, err := note.NewEd25519VerifierKey(origin, public)
	must(err)
	verifier, err := note.NewVerifier(vkey)
	must(err)
	secret := base64.StdEncoding.EncodeToString(append([]byte{1}, seed...))
	signer, err := note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", origin, verifier.KeyHash(), secret))
	must(err)
	return signer, vkey
}
