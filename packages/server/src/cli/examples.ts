const space = 'spc-01jd8x5zv2e7ya0g4h6m9k3q5r'
const user = 'usr-01jd8x5zv2e7ya0g4h6m9k3q5r'
const decided = `--by Aminata --reason`
const month = '--from 2026-11-01 --until 2026-12-01'

/** Examples by command. A test checks that the command line accepts each of them. */
export const examples: Record<string, string[]> = {
  start: ['pesewa start', 'DATA_DIR=/var/tmp/pesewa PORT=9000 pesewa start'],
  serve: ['DATABASE_URL=postgresql://… SECRET_KEY=… pesewa serve', 'pesewa serve --work --processes 4'],
  work: ['DATABASE_URL=postgresql://… SECRET_KEY=… pesewa work'],
  migrate: ['pesewa migrate'],
  backup: ['pesewa backup --to /var/backups/pesewa --keep 14'],
  restore: [
    'DATA_DIR=/var/tmp/restored pesewa restore --from /var/backups/pesewa/pesewa-20261124T021500Z',
    'pesewa restore --from /var/backups/pesewa/pesewa-20261124T021500Z --check',
  ],
  doctor: ['pesewa doctor', 'pesewa doctor --offline --json'],
  'keys status': ['pesewa keys status'],
  'keys encrypt': [`pesewa keys encrypt ${decided} 'All nodes have been upgraded'`],
  'keys rotate': [
    `pesewa keys rotate ${decided} 'Yearly rotation'`,
    `pesewa keys rotate --space ${space} ${decided} 'A leaver'`,
  ],
  'keys rewrap': [`MASTER_KEY_OLD_FILE=/run/secrets/old pesewa keys rewrap ${decided} 'New master key'`],
  'spaces create': [`pesewa spaces create --name 'Kofi’s Shop' --country GH`],
  'spaces list': ['pesewa spaces list', 'pesewa spaces list --json'],
  'spaces show': [`pesewa spaces show ${space}`],
  'spaces suspend': [`pesewa spaces suspend ${space} ${decided} 'Documents are missing'`],
  'spaces resume': [`pesewa spaces resume ${space} ${decided} 'Documents arrived'`],
  'spaces set': [
    `pesewa spaces set ${space} --fee payment=1.5%,min=SLE:50`,
    `pesewa spaces set ${space} --payout-approval-above SLE:100000 --refund-when-short queue`,
  ],
  'users add': [
    'pesewa users add --email kadi@shop.example',
    'pesewa users add --email op@shop.example --operator',
  ],
  'users list': ['pesewa users list'],
  'users show': ['pesewa users show kadi@shop.example', `pesewa users show ${user}`],
  'users set': [`pesewa users set ${user} --operator`, `pesewa users set ${user} --no-operator`],
  'users invite': [`pesewa users invite ama@shop.example --space ${space} --role owner`],
  'users sign-in-link': ['pesewa users sign-in-link --email kadi@shop.example'],
  'users remove-app': ['pesewa users remove-app --email kadi@shop.example'],
  'users unlink': ['pesewa users unlink --email kadi@shop.example'],
  'users remove': ['pesewa users remove kadi@shop.example'],
  'members list': [`pesewa members list --space ${space}`],
  'members show': [`pesewa members show --space ${space} --user ${user}`],
  'members set': [`pesewa members set --space ${space} --user ${user} --role finance`],
  'members remove': [`pesewa members remove --space ${space} --user ${user}`],
  'fees list': ['pesewa fees list'],
  'fees show': [`pesewa fees show ${space}`],
  'fees set': [`pesewa fees set ${space} --code payment --rule 1.5%,min=SLE:50`],
  'fees remove': [`pesewa fees remove ${space} --code payout`],
  'tokens create': [
    `pesewa tokens create --user ${user} --environment test --name website --scopes checkout-sessions:write,payments:read`,
    `pesewa tokens create --user ${user} --environment live --name nightly --expires 30d --ips 10.0.0.0/8`,
  ],
  'tokens list': ['pesewa tokens list'],
  'tokens show': ['pesewa tokens show tok-01jd8x5zv2e7ya0g4h6m9k3q5r'],
  'tokens revoke': ['pesewa tokens revoke tok-01jd8x5zv2e7ya0g4h6m9k3q5r'],
  'bills list': ['pesewa bills list', 'pesewa bills list --all'],
  'bills assign': [
    `pesewa bills assign mpesa SJK4H7L2QW --code 2604417195 ${decided} 'The payer wrote their name instead'`,
  ],
  'bills close': [`pesewa bills close mpesa SJK4H7L2QW ${decided} 'Refunded in the portal'`],
  'cases list': ['pesewa cases list', 'pesewa cases list --all --json'],
  'cases close': [`pesewa cases close cas-01jd8x5zv2e7ya0g4h6m9k3q5r ${decided} 'Refunded in cash'`],
  'cases return': [`pesewa cases return cas-01jd8x5zv2e7ya0g4h6m9k3q5r ${decided} 'Paid twice'`],
  'connections list': ['pesewa connections list'],
  'connections show': ['pesewa connections show mpesa'],
  'connections test': ['pesewa connections test mpesa'],
  'connections register': ['pesewa connections register mpesa', 'pesewa connections register m17 --test'],
  'connections pause': [
    `pesewa connections pause mpesa --pay-out --words 'Payouts resume at noon.' --by Aminata`,
  ],
  'connections resume': ['pesewa connections resume mpesa --pay-out --by Aminata'],
  float: ['pesewa float'],
  'recalls list': ['pesewa recalls list', 'pesewa recalls list --all'],
  'recalls return': [
    `pesewa recalls return rcl-01jd8x5zv2e7ya0g4h6m9k3q5r --transaction SJK4H7L2QW ${decided} 'The payee agreed'`,
  ],
  'recalls refuse': [
    `pesewa recalls refuse rcl-01jd8x5zv2e7ya0g4h6m9k3q5r ${decided} 'The payee does not agree'`,
  ],
  verify: ['pesewa verify', 'pesewa verify --verbose', 'pesewa verify --since 24h'],
  reconcile: ['pesewa reconcile', 'pesewa reconcile --provider m17 --environment live'],
  'reconcile import': [
    'pesewa reconcile import --provider m17 --environment live --file november.csv --mapping m17.json',
  ],
  'reconcile fetch': [
    `pesewa reconcile fetch --provider m17 --environment live ${month} --file november.csv`,
  ],
  'reconcile simulated': ['pesewa reconcile simulated --provider m17'],
  'reconcile close-item': [
    `pesewa reconcile close-item m17/live/4242 ${decided} 'A test payment by the provider'`,
  ],
  'reconcile close-day': ['pesewa reconcile close-day m17 2026-11-20 --environment live --by Aminata'],
  'reconcile reopen-day': [
    `pesewa reconcile reopen-day m17 2026-11-20 --environment live ${decided} 'Corrected statement received'`,
  ],
  'reconcile days': ['pesewa reconcile days --provider m17'],
  'settle book': [
    `pesewa settle book --space ${space} --environment live --kind payout_to_bank --provider m17 --amount SLE:150000 --bank-reference 'FT 2611/88' --value-date 2026-11-20 --by Aminata`,
  ],
  'settle reverse': [`pesewa settle reverse stl-01jd8x5zv2e7ya0g4h6m9k3q5r ${decided} 'Booked twice'`],
  'settle list': [`pesewa settle list --space ${space} --environment live`],
  'settle owed': ['pesewa settle owed'],
  'rail-test': [
    'pesewa rail-test --simulated m17',
    'pesewa rail-test --connection mpesa --paying 254708374149 --yes --out report',
  ],
  listen: ['pesewa listen localhost:3000/hook', `pesewa listen --events 'payment.*,refund.completed' --json`],
  'logs tail': ['pesewa logs tail', 'pesewa logs tail --status 4xx --path /v1/payouts'],
  trigger: ['pesewa trigger payment.completed', 'pesewa trigger --list'],
  'docs build': [
    'pesewa docs build --out site',
    'pesewa docs build --out site --base-url https://pay.example.com',
  ],
  completion: [
    'pesewa completion bash > ~/.local/share/bash-completion/completions/pesewa',
    'pesewa completion zsh > ~/.zfunc/_pesewa',
    'pesewa completion fish > ~/.config/fish/completions/pesewa.fish',
  ],
  help: ['pesewa help', 'pesewa help spaces create'],
}
for (const [noun, prefix] of [
  ['payments', 'pay'],
  ['payouts', 'pyt'],
  ['refunds', 'rfd'],
])
  Object.assign(examples, {
    [`${noun} list`]: [
      `pesewa ${noun} list --status failed`,
      `pesewa ${noun} list --search '076 123 456'`,
      `pesewa ${noun} list --unknown`,
    ],
    [`${noun} show`]: [`pesewa ${noun} show ${prefix}-01jd8x5zv2e7ya0g4h6m9k3q5r`],
    [`${noun} resolve`]: [
      `pesewa ${noun} resolve ${prefix}-01jd8x5zv2e7ya0g4h6m9k3q5r --as failed ${decided} 'Confirmed by provider support'`,
    ],
  })
