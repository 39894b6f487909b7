// A receiver that uses only Go's standard library.
//
// WEBHOOK_SECRET is the endpoint's secret (two, separated by a comma, during a rotation); PORT is
// the port to listen on.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 64 * 1024
)

// Delivery is the body of a webhook request. Data has the fields of the template. The members with
// other names are those of a CloudEvent, if the endpoint was created with that format.
type Delivery struct {
	CloudEvent

	ID         string `json:"id"`
	TemplateID string `json:"template_id"`
	EventType  string `json:"event_type"`
	Context    struct {
		Symbol string `json:"symbol"`
	} `json:"context"`
	Data          map[string]any `json:"data"`
	ChangedFields []string       `json:"changed_fields"`
}

// CloudEvent has the members of a CloudEvent that differ from ours.
type CloudEvent struct {
	SpecVersion string `json:"specversion"`
	Type        string `json:"type"`
	Subject     string `json:"subject"`
	Template    string `json:"templateid"`
	Changed     string `json:"changedfields"`
}

// dayFields has the field that dates the data of each event type.
var dayFields = map[string]string{
	"earnings_schedule.changed": "date",
	"dividend_declared.changed": "exDate",
	"earnings_reaction.changed": "reactionDate",
}

type stored struct {
	sentAt time.Time
	data   map[string]any
}

type receiver struct {
	brand   string
	secrets []string

	mutex sync.Mutex
	// In your service, use two database tables, written in one transaction.
	seen   map[string]bool
	newest map[string]stored
}

func main() {
	secrets := strings.FieldsFunc(os.Getenv("WEBHOOK_SECRET"), func(r rune) bool { return r == ',' })
	if len(secrets) == 0 {
		fmt.Fprintln(os.Stderr, "set WEBHOOK_SECRET to the secret of your endpoint")
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "3000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{
		Handler:     newReceiver(setting("WEBHOOK_BRAND", "Service"), secrets),
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}

func setting(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func newReceiver(brand string, secrets []string) *receiver {
	seen, newest := map[string]bool{}, map[string]stored{}
	return &receiver{brand: brand, secrets: secrets, seen: seen, newest: newest}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		respond(w, http.StatusMethodNotAllowed, map[string]any{"error": "send a POST"})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, bodyBytesMax))
	if err != nil {
		respond(w, http.StatusBadRequest, map[string]any{"error": "the body is incomplete or too large"})
		return
	}

	// 1. Verify the signature of the raw bytes, before anything trusts or parses them.
	sentAt, err := verify(request.Header, body, r.brand, r.secrets, time.Now())
	if err != nil {
		log.Println("rejected:", err)
		respond(w, http.StatusUnauthorized, map[string]any{"error": "the signature does not match"})
		return
	}
	delivery, err := parse(body)
	if err != nil {
		respond(w, http.StatusInternalServerError, map[string]any{"error": "the body is not a delivery"})
		return
	}

	// 2. Deduplicate by the id in the body, which is signed.
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.seen[delivery.ID] {
		respond(w, http.StatusOK, map[string]any{"duplicate": true})
		return
	}

	// 3. and 4. Route by template and event, and store.
	r.store(delivery, sentAt, request.Header.Get("X-"+r.brand+"-Test") == "true")
	r.seen[delivery.ID] = true

	// 5. Respond with 2xx once the data is safe.
	respond(w, http.StatusOK, map[string]any{"ok": true})
}

func parse(body []byte) (Delivery, error) {
	var delivery Delivery
	err := json.Unmarshal(body, &delivery)
	if delivery.SpecVersion != "" {
		delivery.EventType, delivery.TemplateID = delivery.Type, delivery.Template
		delivery.Context.Symbol = delivery.Subject
		isComma := func(r rune) bool { return r == ',' }
		delivery.ChangedFields = strings.FieldsFunc(delivery.Changed, isComma)
	}
	return delivery, err
}

func (r *receiver) store(delivery Delivery, sentAt time.Time, isTest bool) {
	symbol := delivery.Context.Symbol
	dayField, known := dayFields[delivery.EventType]
	if !known {
		// An event type of the future: nothing to do, and no reason for a retry.
		fmt.Println("ignored", delivery.EventType)
		return
	}
	key := delivery.TemplateID + " " + symbol
	if current, exists := r.newest[key]; exists && current.sentAt.After(sentAt) {
		// A slow request may end after a newer one.
		fmt.Println("kept newer", symbol)
		return
	}
	r.newest[key] = stored{sentAt, delivery.Data}
	changed := strings.Join(delivery.ChangedFields, ", ")
	end := ""
	if isTest {
		// A test has current data too, so it is safe to store. Do not notify or trade because of it.
		end = " [test]"
	}
	fmt.Printf("stored %s %v (%s)%s\n", symbol, delivery.Data[dayField], changed, end)
}

var (
	seconds   = regexp.MustCompile(`^[0-9]{1,15}$`)
	signature = regexp.MustCompile(`^sha256=[0-9a-fA-F]{64}$`)
)

// verify returns when the service sent the request, or an error if it did not, or not recently.
func verify(header http.Header, body []byte, brand string, secrets []string, now time.Time) (time.Time, error) {
	timestamp := header.Get("X-" + brand + "-Timestamp")
	if !seconds.MatchString(timestamp) {
		return time.Time{}, errors.New("no timestamp")
	}
	unix, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	sentAt := time.Unix(unix, 0)
	if now.Sub(sentAt).Abs() > tolerance {
		return time.Time{}, errors.New("too old, or a clock is wrong")
	}
	// During a rotation there is a second signature.
	for _, end := range []string{"Signature", "Signature-Next", "Signature-Previous"} {
		text := header.Get("X-" + brand + "-" + end)
		if !signature.MatchString(text) {
			continue
		}
		received, err := hex.DecodeString(strings.TrimPrefix(text, "sha256="))
		if err != nil {
			return time.Time{}, err
		}
		for _, secret := range secrets {
			// The body follows the timestamp directly, and the key is the secret as displayed.
			expected := hmac.New(sha256.New, []byte(secret))
			expected.Write([]byte(timestamp))
			expected.Write(body)
			if hmac.Equal(expected.Sum(nil), received) {
				return sentAt, nil
			}
		}
	}
	return time.Time{}, errors.New("no secret matches this signature")
}

func respond(w http.ResponseWriter, status int, body map[string]any) {
	content, err := json.Marshal(body)
	if err != nil {
		log.Println(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(content)
}
