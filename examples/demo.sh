# Source this file in the service's folder while `npm start` is running:   . examples/demo.sh
# It creates a webhook, and sets variables for its secret, the URL of the service, and the demo shop's test token.
demo() { node -p "require('${DATA_DIR:-./data}/demo.json').$1"; }
export PESEWA_BASE_URL="${PESEWA_BASE_URL:-$(demo baseUrl)}"
export PESEWA_TOKEN="${PESEWA_TOKEN:-$(demo testToken)}"
export PESEWA_SPACE="${PESEWA_SPACE:-$(demo spaceId)}"
export PORT="${PORT:-3000}"
PESEWA_WEBHOOK_SECRET=$(curl -s --fail-with-body "$PESEWA_BASE_URL/v1/webhooks" \
  -H "Authorization: Bearer $PESEWA_TOKEN" -H "Service-Space-Id: $PESEWA_SPACE" \
  -H "Idempotency-Key: shop-$(date +%s%N)" -H 'Content-Type: application/json' \
  -d "{\"name\":\"Example shop\",\"url\":\"http://127.0.0.1:$PORT/webhook\",\"events\":[\"payment.completed\",\"refund.completed\"]}" |
  node -p "JSON.parse(require('fs').readFileSync(0)).result.verificationMethod.secret")
export PESEWA_WEBHOOK_SECRET
