import { type Command, InvalidArgumentError, Option } from 'commander'
import { eventIds } from '../../events/resources.ts'
import { subscriptions } from '../../events/types.ts'
import { readId } from '../../platform/ids.ts'
import { commandGroup, printing } from '../command.ts'
import type { DocsOptions } from './docs-command.ts'

/** Adds the commands for developers who integrate with a local or remote service. */
export function addDeveloperCommands(program: Command): void {
  withConnection(
    program.command('listen').description('follow a Space’s events and forward them as webhooks'),
  )
    .option(
      '--forward-to <url>',
      'URL to post each signed event to, such as http://localhost:3000/hook',
      urlArgument,
    )
    .option(
      '--events <types>',
      'event types to include, such as payment.*,checkout_session.completed',
      eventsArgument,
      ['*'],
    )
    .option(
      '--since-event <id>',
      'id of the event to start after, evt-… (default: start with the next event)',
      eventArgument,
    )
    .option('--secret <secret>', 'signing secret, whsec_… (default: a new one)')
    .option('--json', 'print one JSON object per event')
    .action(async (options) => (await import('./listen-command.ts')).listen(options))

  withConnection(
    program
      .command('trigger')
      .description('trigger events in the test environment by performing real operations'),
  )
    .argument('[event types...]', 'payment.completed')
    .option('--list', 'list the events that can be triggered')
    .option('--json', 'print one JSON object per event')
    .action(async (types, options) => (await import('./trigger-command.ts')).trigger(types, options))

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

const withConnection = (command: Command) =>
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

// An empty environment variable counts as not set.
const optionalUrlArgument = (text: string) => (text === '' ? '' : urlArgument(text).replace(/\/+$/, ''))

function eventArgument(text: string): string {
  if (!readId(eventIds, text)) throw new InvalidArgumentError('must be an event id; it must start with evt-.')
  return text
}

function eventsArgument(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !subscriptions().includes(name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `Unknown event type "${unknown}". Use one of: ${subscriptions().join(', ')}.`,
    )
  return names
}
