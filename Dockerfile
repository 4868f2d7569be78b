FROM node:24-slim

# What agents reach for first; Codex brings its own sandbox.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates curl git openssh-client python3 ripgrep \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .

# The data folder belongs to the user that runs Shipmate; the program does not, so that no agent changes it.
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production SHIPMATE_HOME=/data
VOLUME /data
EXPOSE 8787
CMD ["node", "--max-semi-space-size=8", "src/main.ts", "start"]
