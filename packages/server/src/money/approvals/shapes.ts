import Type from 'typebox'

export const approval = Type.Unsafe<{ status: string; userId: string | null; time: string | null } | null>({
  type: ['object', 'null'],
  description: 'Approval by another user; null if none is needed.',
  properties: {
    status: {
      type: 'string',
      enum: ['required', 'approved', 'rejected'],
      description: 'Approval status. `required`: no decision yet; `approved`, `rejected`: decided.',
    },
    userId: {
      type: ['string', 'null'],
      description: 'ID of the user who decided; null before the decision.',
    },
    time: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Time of the decision; null before the decision.',
    },
  },
})
