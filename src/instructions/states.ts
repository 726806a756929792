export type InstructionState = 'created' | 'submitting' | 'submitted' | 'unknown' | 'succeeded' | 'failed'

/** How far an instruction can go from where it is. What is not in here does not happen. */
const next: Readonly<Record<InstructionState, readonly InstructionState[]>> = {
  created: ['submitting', 'failed'],
  submitting: ['submitted', 'unknown', 'succeeded', 'failed'],
  submitted: ['succeeded', 'failed'],
  unknown: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

export const canMove = (from: InstructionState, to: InstructionState) => next[from].includes(to)

/** It was submitted, and its outcome is not known. */
export const isOpen = (state: InstructionState): state is OpenState => openStates.includes(state)

const openStates: readonly InstructionState[] = ['submitting', 'submitted', 'unknown']
export type OpenState = Extract<InstructionState, 'submitting' | 'submitted' | 'unknown'>
