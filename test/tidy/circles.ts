/**
 * Returns the circles of imports at every depth: within a folder, its files and its folders (each taken as a
 * whole) must have an order. `imports` maps each file to the files that it imports. Each circle is returned
 * once, in the form `packages/server/src/platform: clock.ts, db`.
 */
export function circlesOf(imports: Map<string, string[]>): string[] {
  const folders = new Set([...imports.keys()].flatMap(foldersOf))
  return [...folders].flatMap((folder) =>
    connected(edgesWithin(folder, imports)).map((circle) => `${folder}: ${circle.sort().join(', ')}`),
  )
}

function foldersOf(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}

/** Returns, for each part of a folder, the other parts of the folder that it imports. */
function edgesWithin(folder: string, imports: Map<string, string[]>): Map<string, Set<string>> {
  const partOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined
  const edges = new Map<string, Set<string>>()
  for (const [file, imported] of imports) {
    const from = partOf(file)
    if (from === undefined) continue
    const reached = edges.get(from) ?? new Set()
    edges.set(from, reached)
    for (const to of imported.map(partOf)) if (to !== undefined && to !== from) reached.add(to)
  }
  return edges
}

/** Returns the strongly connected components with more than one part, that is, parts that can reach each other. */
function connected(edges: Map<string, Set<string>>): string[][] {
  const reaches = new Map([...edges.keys()].map((part) => [part, reachableFrom(part, edges)]))
  const placed = new Set<string>()
  return [...edges.keys()].flatMap((part) => {
    if (placed.has(part)) return []
    const circle = [...edges.keys()].filter(
      (other) => other === part || (reaches.get(part)?.has(other) && reaches.get(other)?.has(part)),
    )
    for (const one of circle) placed.add(one)
    return circle.length > 1 ? [circle] : []
  })
}

function reachableFrom(part: string, edges: Map<string, Set<string>>): Set<string> {
  const reached = new Set<string>()
  const left = [part]
  for (let next = left.pop(); next !== undefined; next = left.pop())
    for (const to of edges.get(next) ?? [])
      if (!reached.has(to)) {
        reached.add(to)
        left.push(to)
      }
  return reached
}
