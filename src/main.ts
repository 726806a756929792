#!/usr/bin/env node
import { runCommand } from './cli/command-line.ts'

await runCommand(process.argv)
