export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
export const isEnvironment = (text: unknown): text is Environment =>
  environments.some((each) => each === text)

/** The Space and environment that data belongs to. Every statement filters by both fields. */
export type Scope = { spaceId: string; environment: Environment }
