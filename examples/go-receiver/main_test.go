package main

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
)

type vectorCase struct {
	Name      string
	Secret    string
	Timestamp string
	BodyHex   string
	Headers   struct{ Signature, SignatureNext, SignaturePrevious string }
	Now       int64
	Verifies  bool
}

func TestAcceptsOrRejectsASignatureAsTheTestVectorExpects(t *testing.T) {
	text, err := os.ReadFile("../../vectors/webhook-signatures.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct{ Cases []vectorCase }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) < 20 {
		t.Fatalf("only %d cases", len(vectors.Cases))
	}
	for _, c := range vectors.Cases {
		t.Run(c.Name, func(t *testing.T) {
			body, err := hex.DecodeString(c.BodyHex)
			if err != nil {
				t.Fatal(err)
			}
			header := http.Header{}
			header.Set("X-Service-Timestamp", c.Timestamp)
			header.Set("X-Service-Signature", c.Headers.Signature)
			header.Set("X-Service-Signature-Next", c.Headers.SignatureNext)
			header.Set("X-Service-Signature-Previous", c.Headers.SignaturePrevious)
			_, err = verify(header, body, "Service", []string{c.Secret}, time.Unix(c.Now, 0))
			if (err == nil) != c.Verifies {
				t.Errorf("verifies: %v, expected %v", err, c.Verifies)
			}
		})
	}
}
