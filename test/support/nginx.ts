import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './harness.ts'
import { makeFolder } from './program.ts'

const documented = path.resolve(import.meta.dirname, '../../deploy/nginx/pesewa.conf')

/** The reason to skip a test that needs nginx, or false if it is installed. */
export const withoutNginx = spawnSync('nginx', ['-v']).status === 0 ? false : 'nginx is not installed'

/** Starts nginx with the documented configuration in front of nodes on these ports. Returns its port. */
export async function startNginx(ports: string[]) {
  const folder = makeFolder()
  const port = await freePort()
  const [first = '', ...others] = readFileSync(documented, 'utf8').split(
    /^ {2}server 127\.0\.0\.1:\d+(.*)\n/m,
  )
  const parameters = others[0]
  const rest = others.at(-1)
  const servers = ports.map((node) => `  server 127.0.0.1:${node}${parameters}\n`).join('')
  writeFileSync(
    path.join(folder, 'pesewa.conf'),
    `${first}${servers}${rest}`.replace('listen 80;', `listen 127.0.0.1:${port};`),
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 1024; }
     http {
       access_log off;
       ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
       include ${folder}/pesewa.conf;
     }`,
  )
  const nginx = spawn('nginx', [
    '-p',
    folder,
    '-c',
    path.join(folder, 'nginx.conf'),
    '-e',
    path.join(folder, 'errors'),
  ])
  const ended = once(nginx, 'close')
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined)
  return {
    port: String(port),
    baseUrl: `http://localhost:${port}`,
    /** Returns the log of nodes that failed and requests that could not be passed on. */
    errors: () => readFileSync(path.join(folder, 'errors'), 'utf8'),
    async close() {
      nginx.kill('SIGTERM')
      await ended
    },
  }
}
