export type InstructionState = 'created' | 'submitting' | 'submitted' | 'unknown' | 'succeeded' | 'failed'

/** The transitions that are allowed. Any other transition is a bug. */
const next: Readonly<Record<InstructionState, readonly InstructionState[]>> = {
  created: ['submitting', 'failed'],
  submitting: ['submitted', 'unknown', 'succeeded', 'failed'],
  submitted: ['succeeded', 'failed'],
  unknown: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

export const canMove = (from: InstructionState, to: InstructionState) => next[from].includes(to)

/** Returns whether a state means that the instruction was submitted and has no outcome yet. */
export const isOpen = (state: InstructionState): state is OpenState => openStates.includes(state)

const openStates: readonly InstructionState[] = ['submitting', 'submitted', 'unknown']
export type OpenState = Extract<InstructionState, 'submitting' | 'submitted' | 'unknown'>

/** A rail's answers to a member's question that leave the outcome open. */
export const answers = ['pending', 'later', 'unclear'] as const
export type Answer = (typeof answers)[number]
