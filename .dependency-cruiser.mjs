import { foldersInOrder } from './scripts/documents/folders.ts'

// The slices in the order in which they import each other; files directly in src/ wire them together.
const folders = foldersInOrder()
const slices = folders.filter((folder) => folder !== 'cli')
const any = (names) => `(?:${names.join('|')})`
const test = '\\.test\\.ts$'
// Files of a rail that only its tests use.
// The files that the `exports` in a package.json name.
const entries = '^packages/[^/]+/(?:src/)?(?:(?:conformance|simulator|testing)/)?(?:index|phone-numbers)\\.ts$'
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

    ...downwards('src-order', 'A slice imports only itself and slices that come earlier in src/slices.ts.', [
      ...slices.map((slice) => `^src/${slice}/`),
      '^src/(?!main\\.ts)[^/]+\\.ts$',
      '^src/cli/',
      '^src/main\\.ts$',
    ]),
    rule(
      'src-place',
      'Each file is in src/ itself or in the folder of a slice, which is in src/slices.ts.',
      { path: `^src/(?!${any(folders)}/)[^/]+/` },
      {},
    ),
    rule(
      'src-alone',
      'The program imports nothing from the repository outside src/ and packages/; only the commands use the SDK.',
      { path: '^src/(?!cli/)', pathNot: test },
      { path: '^(?!src/|packages/|node_modules/)[^/]+/' },
    ),
    ...downwards('packages-order', 'The order of the packages: a package imports only earlier ones.', [
      '^packages/embedded-postgres/',
      '^packages/values/',
      '^packages/base-backup/',
      '^packages/connector-kit/',
      '^packages/rails/',
      '^src/',
    ]),
    rule(
      'packages-alone',
      'Packages import nothing else from the repository. Their tests may use the service and its test support.',
      { path: '^packages/', pathNot: `${test}|${development}` },
      { path: '^(?!packages/|node_modules/)[^/]+/' },
    ),
    rule(
      'package-entries',
      'Other packages import only the entries of a package.',
      { path: '^(?:packages/([^/]+)|src)/', pathNot: `${test}|${development}` },
      { path: '^packages/', pathNot: `^packages/$1/|${entries}` },
    ),
    rule(
      'simulators-lazily',
      'Only a rail’s own index.ts loads its simulator, on demand, so that live installations load none.',
      { path: '^(?:src|packages)/(?!rails/[^/]+/simulator/)', pathNot: `${test}|${development}` },
      { path: '^packages/rails/[^/]+/simulator/', dependencyTypesNot: ['dynamic-import'] },
    ),
    rule(
      'src-cli-alone',
      'The commands import nothing from the repository outside src/ and packages/, except the SDK.',
      { path: '^src/cli/', pathNot: test },
      { path: '^(?!src/|packages/|sdk/src/|node_modules/)[^/]+/' },
    ),
    rule(
      'src-test-support',
      'Tests in src/ import nothing from test/ except test/support.',
      { path: '^src/' },
      { path: '^test/(?!support/)' },
    ),

    ...downwards('console-order', 'The layers of the console: text, api, parts, pages and the shell.', [
      '^console/src/text/',
      '^console/src/api/',
      '^console/src/parts/',
      '^console/src/pages/[^/]+/',
      '^console/src/pages/[^/]+$',
      '^console/src/shell/',
      '^console/src/main\\.tsx$',
    ]),
    rule(
      'console-api-alone',
      'Only the layer api of the console uses the SDK.',
      { path: '^console/src/(?!api/)' },
      { path: '^sdk/' },
    ),
    ...downwards('sdk-order', 'The layers of the SDK: shapes and errors, calls, operations, the client and the exports.', [
      '^sdk/src/generated/(?:types|currencies)\\.ts$',
      '^sdk/src/(?:errors|json|money|options|delays)\\.ts$',
      '^sdk/src/(?:attempt|call|connect|request|stream|webhooks)\\.ts$',
      '^sdk/src/generated/(?:operations|resources|session)\\.ts$',
      '^sdk/src/client\\.ts$',
      '^sdk/src/(?:index|internal|resources|testing)\\.ts$|^sdk/src/(?:adapters|testing)/',
    ]),
    rule(
      'sdk-console-alone',
      'The SDK imports nothing from the rest of the repository, and the console only the SDK’s entry for it.',
      { path: '^(console|sdk)/src/', pathNot: test },
      { path: '^(?!node_modules/)[^/]+/', pathNot: '^$1/src/|^sdk/src/internal\\.ts$|\\.css$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(?:src|packages|console|sdk|test|scripts|bench|examples)/',
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
