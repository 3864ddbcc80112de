# A release of Debian and of Node; both stages that compile and the image itself are made from it. docs/how-to/run-in-a-container.md says
# how to build from one digest of it.
ARG NODE_IMAGE=node:24-trixie-slim

# The packages that run, with SQLite compiled here rather than downloaded as a binary.
FROM ${NODE_IMAGE} AS packages
RUN --mount=type=cache,target=/var/cache/apt,sharing=locked --mount=type=cache,target=/var/lib/apt,sharing=locked \
    rm -f /etc/apt/apt.conf.d/docker-clean \
    && apt-get update \
    && apt-get install -y --no-install-recommends g++ make python3
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
# The second browser, for machines that have none, is left out; so is what only compiling needs.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --workspace=contract --workspace=mcp --workspace=server \
    && rm -rf node_modules/@sparticuz node_modules/sqlite3/deps node_modules/sqlite3/src \
    && find node_modules/sqlite3/build -type f ! -name '*.node' -delete

# The server's own code.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY config/tsconfig.base.json config/
COPY contract contract
COPY mcp mcp
COPY server server
RUN node_modules/.bin/tsc --build contract mcp server server/browser && node server/browser/bundle.mjs

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title=Signpost \
    org.opencontainers.image.description="Screenshots, PDFs and UK postcodes from a server of your own." \
    org.opencontainers.image.version=0.1.0 \
    org.opencontainers.image.authors="The Signpost maintainers" \
    org.opencontainers.image.licenses=MIT
# The browser, and fonts for what most pages write; the server needs no package of Debian beside these.
RUN --mount=type=cache,target=/var/cache/apt,sharing=locked --mount=type=cache,target=/var/lib/apt,sharing=locked \
    rm -f /etc/apt/apt.conf.d/docker-clean \
    && apt-get update \
    && apt-get install -y --no-install-recommends \
      chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin signpost \
    && install -d -m 0700 -o signpost -g signpost /data \
    && ln -s /app/server/bin/signpost.js /usr/local/bin/signpost
WORKDIR /app
COPY LICENSE package.json ./
COPY icons icons
COPY --from=packages /app/node_modules node_modules
COPY contract/package.json contract/
COPY --from=build /app/contract/dist contract/dist
COPY mcp/package.json mcp/
COPY mcp/bin mcp/bin
COPY --from=build /app/mcp/dist mcp/dist
COPY server/package.json server/
COPY server/bin server/bin
COPY server/assets server/assets
COPY --from=build /app/server/dist server/dist
COPY deploy/health-check.sh ./
# A home folder that can be written where the root file system cannot.
ENV NODE_ENV=production HOME=/tmp SIGNPOST_HOST=0.0.0.0 SIGNPOST_DATA_DIR=/data \
    SIGNPOST_BROWSER_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process answers. Whether it should get requests, a balancer asks at /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["bash", "/app/health-check.sh"]
ENTRYPOINT ["node", "/app/server/bin/signpost.js"]
CMD ["start"]
