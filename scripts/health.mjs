// Container HEALTHCHECK: checks whether the node is ready, on its own port if it serves requests, otherwise on
// the metrics port.

const { PORT = '8080', METRICS_PORT = '9464' } = process.env
const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => undefined,
  )

const answer = (await isReady(PORT)) ?? (await isReady(METRICS_PORT))
process.exitCode = answer === true ? 0 : 1
