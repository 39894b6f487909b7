// Verifies requests with the reference library of Standard Webhooks in Go. Reads an array of requests
// as JSON, and prints one line for each: true if the library accepts it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var requests []struct {
		Secret  string
		Headers [][2]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		log.Fatal(err)
	}
	for _, request := range requests {
		webhook, err := standardwebhooks.NewWebhook(request.Secret)
		if err != nil {
			log.Fatal(err)
		}
		header := http.Header{}
		for _, pair := range request.Headers {
			header.Add(pair[0], pair[1])
		}
		fmt.Println(webhook.Verify([]byte(request.Body), header) == nil)
	}
}
