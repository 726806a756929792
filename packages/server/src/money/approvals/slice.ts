export const slice = {
  folder: 'money/approvals',
  tables: ['approval_limits', 'approval_limit_proposals'],
}
