# The program and its runtime dependencies only: no shell, no package manager, no PostgreSQL, no root.
# The build stage makes a release (npm run release); the image contains it, Node, and the libraries that Node needs.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /build
# Packages come first, because they change less often than sources.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --loglevel=error
COPY . .
RUN npm run --silent release -- /image/opt/pesewa --without-database
# A minimal root file system: shared libraries at their usual paths, user and host names, folders for data.
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
# Metrics have their own port, which must not be exposed by a proxy.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /opt/pesewa
USER 65532:65532
EXPOSE 8080 9464
# Checks the service port, or the metrics port of nodes that only run jobs.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["/usr/local/bin/node", "/opt/pesewa/scripts/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/pesewa/packages/server/src/main.js"]
CMD ["serve"]
