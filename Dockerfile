# A release of Debian and of Node.js, of which the stages are made. docs/how-to/run-in-a-container.md says how to build
# from one digest of it.
ARG NODE_IMAGE=node:24-trixie-slim

# The packages that run, with SQLite compiled here rather than downloaded as a binary.
FROM ${NODE_IMAGE} AS packages
RUN --mount=type=cache,target=/var/cache/apt,sharing=locked --mount=type=cache,target=/var/lib/apt,sharing=locked \
    rm -f /etc/apt/apt.conf.d/docker-clean \
    && apt-get update \
    && apt-get install -y --no-install-recommends g++ make python3
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local JOBS=max
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
# Kept of the packages beside the bundle: what it loads and reads. Left out: what compiled them and what would fetch a
# browser; what only reading the code and testing need; the names inside Node.js, which are for debuggers.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --workspace=server \
    && cd node_modules \
    && find . -mindepth 1 -maxdepth 1 ! -name @duckduckgo ! -name @img ! -name @node-rs ! -name bindings \
      ! -name defuddle ! -name detect-libc ! -name file-uri-to-path ! -name semver ! -name sharp ! -name sqlite3 \
      -exec rm -rf {} + \
    && rm -rf sharp/src sqlite3/build/Release/obj.target sqlite3/deps sqlite3/node_modules sqlite3/src \
    && find sqlite3/build -type f ! -name '*.node' -delete \
    && find @duckduckgo -type f ! -name package.json ! -iname 'licen[cs]e*' ! -name compact-rules.json \
      ! -name autoconsent.cjs.js ! -name autoconsent.esm.js ! -name autoconsent.playwright.js -delete \
    && find defuddle -type f ! -name package.json ! -iname 'licen[cs]e*' ! -name index.full.js -delete \
    && find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -iname 'changelog*' \) -delete \
    && find . -type d -empty -delete \
    && strip /usr/local/bin/node sqlite3/build/Release/node_sqlite3.node
COPY deploy/elf.mjs deploy/slim-program.mjs /tmp/
RUN node /tmp/slim-program.mjs /usr/local/bin/node node_modules /usr/lib \
    -- --print 'process.version + new Intl.DateTimeFormat("de").format(0) + crypto.createHash("sha256").update("a").digest("hex")'

# The server's own code.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY server/package.json server/
RUN --mount=type=cache,target=/root/.npm \
    npm ci --include=dev --ignore-scripts --workspace=contract --workspace=mcp --workspace=server
COPY config/tsconfig.base.json config/
COPY contract contract
COPY mcp mcp
COPY server server
RUN node server/bundle.mjs

# The browser, and fonts for what most pages write; of these and of Debian what runs.
FROM ${NODE_IMAGE} AS system
RUN --mount=type=cache,target=/var/cache/apt,sharing=locked --mount=type=cache,target=/var/lib/apt,sharing=locked \
    rm -f /etc/apt/apt.conf.d/docker-clean \
    && apt-get update \
    && apt-get install -y --no-install-recommends \
      busybox chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin signpost
COPY deploy/elf.mjs deploy/image-root.sh deploy/slim-program.mjs deploy/slim-resources.mjs /tmp/
RUN sh /tmp/image-root.sh /image

FROM scratch
LABEL org.opencontainers.image.title=Signpost \
    org.opencontainers.image.description="Screenshots, PDFs and UK postcodes from a server of your own." \
    org.opencontainers.image.version=0.1.0 \
    org.opencontainers.image.authors="The Signpost maintainers" \
    org.opencontainers.image.licenses=MIT
COPY --from=system /image /
COPY --from=packages /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY LICENSE package.json ./
COPY icons icons
COPY --from=packages /app/node_modules node_modules
COPY server/package.json server/
COPY server/bin server/bin
COPY server/assets server/assets
COPY --from=build /app/server/dist/browser server/dist/browser
COPY --from=build /app/server/dist/program server/dist/program
COPY deploy/health-check.sh ./
RUN install -d -m 0700 -o signpost -g signpost /data \
    && ln -s /app/server/bin/signpost.js /usr/local/bin/signpost
# A home folder that can be written where the root file system cannot.
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_ENV=production HOME=/tmp SIGNPOST_HOST=0.0.0.0 SIGNPOST_DATA_DIR=/data \
    SIGNPOST_BROWSER_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process answers. Whether it should get requests, a balancer asks at /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["sh", "/app/health-check.sh"]
ENTRYPOINT ["node", "/app/server/bin/signpost.js"]
CMD ["start"]
