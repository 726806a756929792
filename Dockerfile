# The program with what it needs at run time, and nothing else: no shell, no package manager, no PostgreSQL, no root.
# The stage that builds has all of a release (npm run release); the image has its outcome, a Node, and the libraries that Node is linked to.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
# The packages change seldom, the sources often.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --loglevel=error
COPY . .
RUN npm run --silent release -- /image/opt/pesewa --without-database
# What a program finds in a system, and no more: libraries at the paths at which they are looked for, names of users and hosts, a place for files.
RUN set -eu; \
    node="$(readlink -f "$(command -v node)")"; \
    mkdir -p /image/usr/local/bin /image/etc /image/tmp /image/data; \
    cp "$node" /image/usr/local/bin/node; \
    ldd "$node" | grep -o '/[^ ]*' | xargs -I '{}' cp --parents --dereference '{}' /image; \
    echo 'pesewa:x:65532:65532::/data:/nonexistent' > /image/etc/passwd; \
    echo 'pesewa:x:65532:' > /image/etc/group; \
    echo 'hosts: files dns' > /image/etc/nsswitch.conf; \
    chmod 1777 /image/tmp; \
    chown 65532:65532 /image/data

FROM scratch
COPY --from=build /image /
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Pesewa" \
      org.opencontainers.image.description="Payments that add up: a payments service that a team runs itself" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
# Metrics are on a port of their own, which no proxy passes on.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /opt/pesewa
USER 65532:65532
EXPOSE 8080 9464
# A node that serves is asked on its port; one that only works, on that of its metrics.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["/usr/local/bin/node", "/opt/pesewa/scripts/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/pesewa/src/main.ts"]
CMD ["serve"]
