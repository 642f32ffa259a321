// Checks proofs and signed notes of transparency logs with the libraries of the Go checksum database and of
// transparency-dev, and makes vectors with them. Reads one JSON case a line, and answers each with a line
// `ok` or the error.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
)

// A request. Hashes are base 64, as encoding/json writes bytes.
type request struct {
	Kind  string
	Note  []byte
	Vkey  string
	Index uint64
	First uint64
	Size  uint64
	Lo    uint64
	Hi    uint64
	Leaf  []byte
	Root  []byte
	Root1 []byte
	Proof [][]byte
	Left  [][]byte
	Right [][]byte
	// Leaves of a range whose leaves are not those of the test tree.
	Leaves [][]byte
}

var hasher = rfc6962.DefaultHasher
var ranges = &compact.RangeFactory{Hash: hasher.HashChildren}

func leaf(index uint64) []byte {
	return hasher.HashLeaf([]byte("leaf " + strconv.FormatUint(index, 10)))
}

// The roots of the test tree by size, as far as they were asked for, and its nodes.
type tree struct {
	all   *compact.Range
	nodes map[compact.NodeID][]byte
	roots map[uint64][]byte
}

func newTree() *tree {
	t := &tree{ranges.NewEmptyRange(0), map[compact.NodeID][]byte{}, map[uint64][]byte{}}
	t.roots[0] = hasher.EmptyRoot()
	return t
}

func (t *tree) grow(size uint64) {
	for t.all.End() < size {
		visit := func(id compact.NodeID, hash []byte) { t.nodes[id] = hash }
		must(t.all.Append(leaf(t.all.End()), visit))
	}
}

func (t *tree) root(size uint64) []byte {
	if known, is := t.roots[size]; is {
		return known
	}
	t.grow(size)
	r, err := ranges.NewRange(0, size, t.read(compact.RangeNodes(0, size, nil)))
	must(err)
	root, err := r.GetRootHash(nil)
	must(err)
	t.roots[size] = root
	return root
}

func (t *tree) read(ids []compact.NodeID) [][]byte {
	hashes := make([][]byte, 0, len(ids))
	for _, id := range ids {
		hash, is := t.nodes[id]
		if !is {
			panic(fmt.Sprintf("no node %v", id))
		}
		hashes = append(hashes, hash)
	}
	return hashes
}

func (t *tree) rehash(nodes proof.Nodes, err error) [][]byte {
	must(err)
	hashes, err := nodes.Rehash(t.read(nodes.IDs), hasher.HashChildren)
	must(err)
	return hashes
}

func (t *tree) check(r request) error {
	switch r.Kind {
	case "checkpoint":
		verifier, err := note.NewVerifier(r.Vkey)
		if err != nil {
			return err
		}
		opened, err := note.Open(r.Note, note.VerifierList(verifier))
		if err != nil {
			return err
		}
		lines := strings.Split(opened.Text, "\n")
		if len(lines) != 4 || lines[0] != verifier.Name() || lines[1] != strconv.FormatUint(r.Size, 10) {
			return fmt.Errorf("not this checkpoint: %q", lines)
		}
		if lines[2] != base64.StdEncoding.EncodeToString(t.root(r.Size)) {
			return fmt.Errorf("another root")
		}
		return nil
	case "inclusion":
		return proof.VerifyInclusion(hasher, r.Index, r.Size, r.Leaf, r.Proof, r.Root)
	case "consistency":
		return proof.VerifyConsistency(hasher, r.First, r.Size, r.Proof, r.Root1, r.Root)
	case "range":
		return checkRange(r)
	}
	return fmt.Errorf("unknown kind %q", r.Kind)
}

func checkRange(r request) error {
	for _, hash := range append(append([][]byte{}, r.Left...), r.Right...) {
		if len(hash) != hasher.Size() {
			return fmt.Errorf("a hash of %d bytes", len(hash))
		}
	}
	all, err := ranges.NewRange(0, r.Lo, r.Left)
	if err != nil {
		return err
	}
	own := r.Leaves
	if own == nil {
		for index := r.Lo; index < r.Hi; index++ {
			own = append(own, leaf(index))
		}
	}
	for _, hash := range own {
		if err := all.Append(hash, nil); err != nil {
			return err
		}
	}
	if all.End() > r.Size {
		return fmt.Errorf("more leaves than the tree has")
	}
	after, err := ranges.NewRange(all.End(), r.Size, r.Right)
	if err != nil {
		return err
	}
	if err := all.AppendRange(after, nil); err != nil {
		return err
	}
	root := hasher.EmptyRoot()
	if r.Size > 0 {
		if root, err = all.GetRootHash(nil); err != nil {
			return err
		}
	}
	if !bytes.Equal(root, r.Root) {
		return fmt.Errorf("another root")
	}
	return nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "vectors" {
		writeVectors(os.Stdout)
		return
	}
	t := newTree()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64*1024*1024)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		var r request
		must(json.Unmarshal(in.Bytes(), &r))
		answer := "ok"
		if err := t.check(r); err != nil {
			answer = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Fprintln(out, answer)
	}
	must(in.Err())
}
