import { type Command, InvalidArgumentError, Option } from 'commander'
import { eventIds } from '../../events/resources.ts'
import { subscriptions } from '../../events/types.ts'
import { readId } from '../../platform/ids.ts'
import { jsonOption } from '../command.ts'

/** The commands of those who integrate: clients of a service that runs here or elsewhere. */
export function addDeveloperCommands(program: Command): void {
  withConnection(
    program.command('listen').description('follow the events of a Space, and forward them as webhooks'),
  )
    .option(
      '--forward-to <url>',
      'http://localhost:3000/hook: each event is posted there, signed',
      urlArgument,
    )
    .option('--events <types>', 'only these: payment.*,checkout_session.completed', eventsArgument, ['*'])
    .option(
      '--since-event <id>',
      'evt-…: start after this event; by default with the next one',
      eventArgument,
    )
    .option('--secret <secret>', 'whsec_… to sign with; by default a new one')
    .option('--json', 'print one JSON object per event')
    .action(async (options) => (await import('./listen-command.ts')).listen(options))

  withConnection(program.command('trigger').description('make real events happen in the test environment'))
    .argument('[event types...]', 'payment.completed')
    .option('--list', 'print what can be triggered')
    .option('--json', 'print one JSON object per event')
    .action(async (types, options) => (await import('./trigger-command.ts')).trigger(types, options))

  program
    .command('docs')
    .description('the documents')
    .command('build')
    .description('write the documents as files that any web server can serve')
    .requiredOption('--out <folder>', 'where to: an empty folder, or one that is not there yet')
    .option('--base-url <url>', 'the service that the samples call', optionalUrlArgument)
    .option(...jsonOption)
    .action(async (options) => (await import('./docs-command.ts')).buildDocs(options))
}

const withConnection = (command: Command) =>
  command
    .addOption(
      new Option('--url <url>', 'where the service is').env('PESEWA_URL').argParser(optionalUrlArgument),
    )
    .addOption(new Option('--token <token>', 'the access token, psw_test_…').env('PESEWA_TOKEN'))
    .addOption(new Option('--space <id>', 'the Space, spc-…').env('PESEWA_SPACE'))

function urlArgument(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('must be an address that begins with http:// or https://.')
  return text
}

// An empty variable counts as absent.
const optionalUrlArgument = (text: string) => (text === '' ? '' : urlArgument(text).replace(/\/+$/, ''))

function eventArgument(text: string): string {
  if (!readId(eventIds, text)) throw new InvalidArgumentError('must be an id like evt-….')
  return text
}

function eventsArgument(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !subscriptions().includes(name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is none of ${subscriptions().join(', ')}.`)
  return names
}
