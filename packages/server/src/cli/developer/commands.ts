import { type Command, InvalidArgumentError, Option } from 'commander'
import { eventIds } from '../../events/resources.ts'
import { readId } from '../../platform/ids.ts'
import { commandGroup, printing } from '../command.ts'
import type { DocsOptions } from './docs-command.ts'

/** Adds the commands for developers who integrate with a local or remote service. */
export function addDeveloperCommands(program: Command): void {
  withConnection(
    program.command('listen').description('follow a Space’s events and forward them as webhooks'),
  )
    .argument(
      '[receiver]',
      'address to post each signed event to, such as localhost:3000/hook; http:// is the default scheme',
      receiverArgument,
    )
    .option('--forward-to <url>', 'the same as the argument', receiverArgument)
    .option(
      '--events <types>',
      'event types to include, such as payment.*,checkout_session.completed',
      (text: string) => text.split(',').map((name) => name.trim()),
      ['*'],
    )
    .option(
      '--since-event <id>',
      'id of the event to start after, evt-… (default: start with the next event)',
      eventArgument,
    )
    .option('--secret <secret>', 'signing secret, whsec_… (default: a new one)')
    .option('--json', 'print one JSON object per event')
    .action(async (receiver: string | undefined, options) =>
      (await import('./listen-command.ts')).listen({ ...(receiver && { forwardTo: receiver }), ...options }),
    )

  withConnection(
    program
      .command('trigger')
      .description('trigger events in the test environment by performing real operations'),
  )
    .argument('[event types...]', 'payment.completed')
    .option('--list', 'list the events that can be triggered')
    .option('--json', 'print one JSON object per event')
    .action(async (types, options) => (await import('./trigger-command.ts')).trigger(types, options))

  withConnection(
    commandGroup(
      program,
      'logs',
      'the API requests of a Space',
    )('tail', 'follow the API requests of a Space, with the outcome of each'),
  )
    .addOption(new Option('--status <class>', 'only responses of this class').choices(['2xx', '4xx', '5xx']))
    .option('--path <prefix>', 'only paths that start with this text, such as /v1/payments')
    .option('-n, --lines <count>', 'number of earlier requests to print first', linesArgument, 10)
    .option('--json', 'print one JSON object per request')
    .action(async (options) => (await import('./logs-command.ts')).tailLogs(options))

  printing(
    commandGroup(
      program,
      'docs',
      'the documentation',
    )('build', 'write the documentation as static files for any web server')
      .requiredOption('--out <folder>', 'output folder; must be empty or not exist yet')
      .option('--base-url <url>', 'service URL to show in the code samples', optionalUrlArgument),
    async (options: DocsOptions) => (await import('./docs-command.ts')).buildDocs(options),
    { text: ({ folder, pages }) => `Wrote ${pages} pages to ${folder}. Start with index.html.\n` },
  )
}

/** Adds the options that select the service, the token and the Space. */
export const withConnection = (command: Command) =>
  command
    .addOption(
      new Option('--url <url>', 'URL of the service').env('PESEWA_URL').argParser(optionalUrlArgument),
    )
    .addOption(new Option('--token <token>', 'access token, psw_test_…').env('PESEWA_TOKEN'))
    .addOption(new Option('--space <id>', 'Space id, spc-…').env('PESEWA_SPACE'))

function urlArgument(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('must be a URL that starts with http:// or https://.')
  return text
}

/** Parses the address of a receiver, whose scheme and path can be omitted: `3000` is `http://localhost:3000/`. */
function receiverArgument(text: string): string {
  const address = /^\d+$/.test(text) ? `localhost:${text}` : text
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href
  throw new InvalidArgumentError(
    'must be an address such as localhost:3000/hook or https://shop.example/hook.',
  )
}

// An empty environment variable counts as not set.
const optionalUrlArgument = (text: string) => (text === '' ? '' : urlArgument(text).replace(/\/+$/, ''))

const maxLines = 50 // earlier requests that `pesewa logs tail` prints

function linesArgument(text: string): number {
  const lines = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (lines <= maxLines) return lines
  throw new InvalidArgumentError(`must be a number from 0 to ${maxLines}.`)
}

function eventArgument(text: string): string {
  if (!readId(eventIds, text)) throw new InvalidArgumentError('must be an event id; it must start with evt-.')
  return text
}
