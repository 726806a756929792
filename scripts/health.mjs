// Whether the node in this container is ready: on its port where it serves, else on that of its metrics. For HEALTHCHECK.

const { PORT = '8080', METRICS_PORT = '9464' } = process.env
const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => undefined,
  )

const answer = (await isReady(PORT)) ?? (await isReady(METRICS_PORT))
process.exitCode = answer === true ? 0 : 1
