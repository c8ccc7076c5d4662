// Writes, checks and updates one row with generated Go (tests/system/generated_rows_test.py).
//
//	rows URL write|check|update|cursor PK [NUMBER]
//
// A check compares with the record that every language has written down for itself.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"rows/models"
)

var now = time.Date(2026, 1, 16, 1, 2, 3, 0, time.UTC)

// keys keeps no secret: a key is stored as it is. Every language has its own keys, and reads those of the others.
type keys struct{}

func (keys) Generate(_ context.Context, _, attribute string) (key, encrypted []byte, err error) {
	key = []byte(fmt.Sprintf("%-32s", "go|"+attribute))
	return key, key, nil
}

func (keys) Decrypt(_ context.Context, encrypted []byte, _, _ string) ([]byte, error) {
	return encrypted, nil
}

type number = attributevalue.Number

func pointer[T any](value T) *T { return &value }

func full(pk string) models.Sample {
	return models.Sample{
		PK: pk, SK: "1", Text: "Grüße <&> \u2028", Number: "12345678901234567890.5", Flag: true, Blob: []byte{'b', 0},
		List:    []any{number("1"), "two", nil, []any{true}},
		Map:     map[string]any{"a": number("0.1"), "b": map[string]any{"c": []byte("x")}},
		Strings: []string{"s", "t"}, Numbers: []number{"1", "2.5"}, Blobs: [][]byte{[]byte("x"), []byte("y")},
		JSON: map[string]any{
			"b": []any{json.Number("1"), json.Number("2.5"), json.Number("1e-7"), nil}, "a": "é <&>",
		},
		Moment: pointer(now.Add(4)), Seconds: 1700000000, Whole: -9007199254740993,
		Exact: "0.00000000000000000000000000000001", Vector: []float32{0.1, -1, 1e-7}, Expires: pointer(int64(4100000000)), Group: pointer("g"),
		Rank: pointer(number("3")), SecretText: "hidden <&> é", SecretNumber: "1.5", SecretFlag: true,
		SecretBlob: []byte{0, 255}, SecretList: []any{number("1"), "x"}, SecretMap: map[string]any{"a": number("1")},
		SecretStrings: []string{"p", "q"}, SecretNumbers: []number{"3"}, SecretBlobs: [][]byte{[]byte("z")},
		SecretJSON: map[string]any{"k": []any{json.Number("1")}},
	}
}

func sortSets(sample *models.Sample) {
	for _, set := range [][]string{sample.Strings, sample.SecretStrings} {
		sort.Strings(set)
	}
	for _, set := range [][]number{sample.Numbers, sample.SecretNumbers} {
		sort.Slice(set, func(i, j int) bool { return set[i] < set[j] })
	}
	for _, set := range [][][]byte{sample.Blobs, sample.SecretBlobs} {
		sort.Slice(set, func(i, j int) bool { return bytes.Compare(set[i], set[j]) < 0 })
	}
}

func run(url, operation, pk, count string) error {
	ctx := context.Background()
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	options := models.Options{Now: now, Keys: keys{}}
	wanted := full(pk)
	if operation == "cursor" {
		key, err := models.SampleKey(pk, "1")
		if err != nil {
			return err
		}
		cursor, err := models.EncodeCursor(key, "by-group", "DESC")
		if err != nil {
			return err
		}
		if again, err := models.DecodeCursor(cursor, "by-group", "DESC"); err != nil || !reflect.DeepEqual(again, key) {
			return fmt.Errorf("the cursor gives %v: %v", again, err)
		}
		fmt.Println(cursor)
		return nil
	}
	if operation == "write" {
		input, err := models.CreateInput(ctx, &wanted, options)
		if err == nil {
			_, err = client.PutItem(ctx, input)
		}
		return err
	}
	key, err := models.SampleKey(pk, "1")
	if err != nil {
		return err
	}
	answer, err := client.GetItem(ctx, models.SampleModel.GetInput(key, options))
	if err != nil {
		return err
	}
	var found models.Sample
	if err := models.Decode(ctx, answer.Item, &found, options); err != nil {
		return err
	}
	version, _ := strconv.ParseInt(count, 10, 64)
	if operation == "update" {
		found.Whole, found.TextOrNot = version, ""
		fields := []models.Field{models.SampleFieldWhole, models.SampleFieldTextOrNot}
		input, err := models.UpdateInput(ctx, &found, fields, options)
		if err == nil {
			_, err = client.UpdateItem(ctx, input)
		}
		return err
	}
	wanted.CreatedAt, wanted.UpdatedAt, wanted.Version = now, now, version
	if count != "" {
		wanted.Whole = version
	}
	// What is not there is nil in a record that was read, and "0" or empty in none.
	found.NumberOrNot = wanted.NumberOrNot
	sortSets(&found)
	if !reflect.DeepEqual(found, wanted) {
		return fmt.Errorf("found  %+v\nwanted %+v", found, wanted)
	}
	return nil
}

func main() {
	arguments := append(os.Args[1:], "")
	if err := run(arguments[0], arguments[1], arguments[2], arguments[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
