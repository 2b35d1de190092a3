# The command alone, run by nobody. The context has the binary of each platform below
# its name, as linux/amd64/objchange: goreleaser lays it out so.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/objchange /objchange
USER 65534:65534
ENTRYPOINT ["/objchange"]
