export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
export const isEnvironment = (text: unknown): text is Environment =>
  environments.some((each) => each === text)

/** What all data belongs to. Every statement names both. */
export type Scope = { spaceId: string; environment: Environment }
