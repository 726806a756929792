/**
 * For `node --import`: kills each of several processes of the program at its start once the file `FAIL_FILE` exists.
 * The program itself has no such switch.
 */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'

if (cluster.isWorker && existsSync(process.env.FAIL_FILE ?? '')) process.kill(process.pid, 'SIGKILL')
