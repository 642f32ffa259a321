# The service with everything that it needs. docs/deployment.md says how to build and run it.
ARG NODE_IMAGE=docker.io/library/node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && node deploy/image/assemble.js /assembled

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Decision Ledger" \
      org.opencontainers.image.licenses="Apache-2.0"
# Numeric, so that Kubernetes can see that it is not root.
RUN mkdir -p /var/lib/decision-ledger && chown 10001:10001 /var/lib/decision-ledger
COPY --from=build /assembled /opt/decision-ledger
COPY deploy/image/health.js /opt/decision-ledger/health.js
USER 10001:10001
WORKDIR /var/lib/decision-ledger
ENV NODE_ENV=production \
    LEDGER_HOST=0.0.0.0 \
    LEDGER_PORT=8080 \
    LEDGER_DATA_DIR=/var/lib/decision-ledger
VOLUME /var/lib/decision-ledger
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "/opt/decision-ledger/health.js"]
# Node.js is the first process, so signals reach it. The option makes writes cheaper: see `npm start`.
ENTRYPOINT ["node", "--max-semi-space-size=64", "/opt/decision-ledger/node_modules/decision-ledger/bin/decision-ledger.js"]
CMD ["serve"]
