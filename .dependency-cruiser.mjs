import { foldersInOrder } from './scripts/documents/folders.ts'

// The slices in the order in which they import each other; files directly in packages/server/src/ wire them together.
const folders = foldersInOrder()
const slices = folders.filter((folder) => !['demo', 'cli'].includes(folder))
const any = (names) => `(?:${names.join('|')})`
const test = '\\.test\\.ts$'
// The files that the `exports` in a package.json name.
const entries =
  '^packages/[^/]+/(?:src/)?(?:(?:conformance|simulator|testing)/)?(?:index\\.ts|errors\\.ts|internal\\.ts|phone-numbers\\.ts|colors\\.ts|base\\.css)$'
// Files of a rail that only its tests use.
const development = '^packages/rails/[^/]+/(?:conformance|fuzz|secrets|testing)\\.ts$'

/** Rules that forbid each step to import a later one. */
const downwards = (name, comment, steps) =>
  steps.slice(0, -1).map((step, i) => ({
    name,
    severity: 'error',
    comment,
    from: { path: step, pathNot: test },
    to: { path: any(steps.slice(i + 1)) },
  }))

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

export default {
  forbidden: [
    rule('no-circular', 'Files must not import each other in a cycle, type imports included.', {}, { circular: true }),

    ...downwards('server-order', 'A slice imports only itself and slices that come earlier in slices.ts.', [
      ...slices.map((slice) => `^packages/server/src/${slice}/`),
      '^packages/server/src/(?:demo/|[^/]+\\.ts$)',
      '^packages/server/src/cli/',
      '^packages/server/src/main\\.js$',
    ]),
    rule(
      'server-place',
      'Each file is in packages/server/src/ itself or in the folder of a slice in slices.ts.',
      { path: `^packages/server/src/(?!${any(folders)}/)[^/]+/` },
      {},
    ),
    rule(
      'server-alone',
      'The program imports only packages; only the commands use the SDK, and nothing imports the console.',
      { path: '^packages/server/', pathNot: test },
      { path: '^(?!packages/|node_modules/)[^/]+/|^packages/console/' },
    ),
    ...downwards('packages-order', 'The order of the packages: a package imports only earlier ones.', [
      '^packages/embedded-postgres/',
      '^packages/values/',
      '^packages/base-backup/',
      '^packages/pages/',
      '^packages/docs/',
      '^packages/connector-kit/',
      '^packages/rails/',
      '^packages/server/src/',
    ]),
    rule(
      'packages-alone',
      'Packages import nothing else from the repository. Their tests may use the service and its test support.',
      { path: '^packages/(?!server/|console/|sdk/)', pathNot: `${test}|${development}` },
      { path: '^(?!packages/|node_modules/)[^/]+/|^packages/(?:console|sdk)/' },
    ),
    rule(
      'package-entries',
      'Other packages import only the entries of a package.',
      { path: '^packages/([^/]+)/', pathNot: `${test}|${development}` },
      { path: '^packages/', pathNot: `^packages/$1/|${entries}` },
    ),
    rule(
      'simulators-lazily',
      'Only a rail’s own index.ts loads its simulator, on demand, so that live installations load none.',
      { path: '^packages/(?!rails/[^/]+/simulator/)', pathNot: `${test}|${development}` },
      { path: '^packages/rails/[^/]+/simulator/', dependencyTypesNot: ['dynamic-import'] },
    ),
    rule(
      'sdk-in-commands',
      'In the server, only the commands use the SDK.',
      { path: '^packages/server/src/(?!cli/)', pathNot: test },
      { path: '^packages/sdk/' },
    ),
    rule(
      'server-test-support',
      'Tests in packages/server/src/ import nothing from test/ except test/support.',
      { path: '^packages/server/src/' },
      { path: '^test/(?!support/)' },
    ),

    ...downwards('console-order', 'The layers of the console: text, api, parts, pages and the shell.', [
      '^packages/console/src/text/',
      '^packages/console/src/api/',
      '^packages/console/src/parts/',
      '^packages/console/src/pages/[^/]+/',
      '^packages/console/src/pages/[^/]+$',
      '^packages/console/src/shell/',
      '^packages/console/src/main\\.tsx$',
    ]),
    rule(
      'console-api-alone',
      'Only the layer api of the console uses the SDK.',
      { path: '^packages/console/src/(?!api/)' },
      { path: '^packages/sdk/' },
    ),
    ...downwards('sdk-order', 'The layers of the SDK: shapes and errors, calls, operations, the client and the exports.', [
      '^packages/sdk/src/generated/(?:types|currencies)\\.ts$',
      '^packages/sdk/src/(?:errors|json|money|options|delays)\\.ts$',
      '^packages/sdk/src/(?:attempt|call|connect|request|stream|webhooks)\\.ts$',
      '^packages/sdk/src/generated/(?:operations|resources|session)\\.ts$',
      '^packages/sdk/src/client\\.ts$',
      '^packages/sdk/src/(?:index|internal|resources|testing)\\.ts$|^packages/sdk/src/(?:adapters|testing)/',
    ]),
    rule(
      'sdk-console-alone',
      'The SDK imports nothing from the rest of the repository, and the console only the SDK’s entry for it.',
      { path: '^packages/(console|sdk)/src/', pathNot: test },
      { path: '^(?!node_modules/)[^/]+/', pathNot: '^packages/$1/src/|^packages/sdk/src/internal\\.ts$|^packages/pages/src/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    includeOnly: '^(?:packages|test|scripts|bench|examples)/',
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
