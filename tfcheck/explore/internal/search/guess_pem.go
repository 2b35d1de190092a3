package search

import (
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// exampleKey is the same in every process. It is not secret, because its primes are close to powers
// of two.
var exampleKey = sync.OnceValue(func() *rsa.PrivateKey {
	one := big.NewInt(1)
	p := new(big.Int).Sub(new(big.Int).Lsh(one, 1024), big.NewInt(105))
	q := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(3), 1022), big.NewInt(1037))
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: 65537}, Primes: []*big.Int{p, q}}
	key.D = new(big.Int).ModInverse(big.NewInt(int64(key.E)), phi)
	key.Precompute()
	return key
})

func privateKeys() []string {
	der, _ := x509.MarshalPKCS8PrivateKey(exampleKey()) // no error for an RSA key
	return []string{pemOf("PRIVATE KEY", der), pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(exampleKey()))}
}

func publicKeys() []string {
	der, _ := x509.MarshalPKIXPublicKey(exampleKey().Public()) // no error for an RSA key
	return append(sshKeys(), pemOf("PUBLIC KEY", der))
}

// sshKeys returns the public key in the format of OpenSSH.
func sshKeys() []string {
	var wire []byte
	for _, part := range [][]byte{[]byte("ssh-rsa"), {1, 0, 1}, append([]byte{0}, exampleKey().N.Bytes()...)} {
		wire = append(binary.BigEndian.AppendUint32(wire, uint32(len(part))), part...)
	}
	return []string{"ssh-rsa " + base64.StdEncoding.EncodeToString(wire) + " user@example.com"}
}

func requests() []string {
	about := x509.CertificateRequest{
		Subject: pkix.Name{CommonName: "example.com"}, SignatureAlgorithm: x509.SHA256WithRSA,
	}
	der, _ := x509.CreateCertificateRequest(nil, &about, exampleKey()) // the signature needs no randomness
	return []string{pemOf("CERTIFICATE REQUEST", der)}
}

// certificates returns a certificate and a certificate request.
func certificates() []string {
	about := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "example.com"}, DNSNames: []string{"example.com"},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, SignatureAlgorithm: x509.SHA256WithRSA,
	}
	key := exampleKey()
	der, _ := x509.CreateCertificate(nil, &about, &about, key.Public(), key) // the signature needs no randomness
	return append([]string{pemOf("CERTIFICATE", der)}, requests()...)
}

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
