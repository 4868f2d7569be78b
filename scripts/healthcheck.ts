/** Ends with 0 when every role of the Shipmate in this container is ready: the health check of docker-compose.yml. */
const port = process.env.PORT ?? "8787";
const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) }).then(
  (response) => response.ok,
  () => false,
);
process.exit(ready ? 0 : 1);
