module tlstax/worker-go

go 1.26

require (
	golang.org/x/crypto v0.46.1-0.20251210140736-7dacc380ba00
	golang.org/x/sys v0.39.0
)
