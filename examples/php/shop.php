<?php
// A shop in PHP without a framework: php -S 127.0.0.1:3000 shop.php. The README explains how to run it.
require __DIR__ . '/pesewa.php';

const PRICE = ['currency' => 'SLE', 'value' => 15000]; // amounts are integers in minor units
$shop = getenv('SHOP_URL') ?: "http://$_SERVER[SERVER_NAME]:$_SERVER[SERVER_PORT]";
[, $place, $id] = explode('/', strtok($_SERVER['REQUEST_URI'], '?') . '//');
match ("$_SERVER[REQUEST_METHOD] /$place") {
    'GET /' => page('Country cloth', 'Le 150.00 <form method="post" action="/pay"><button>Pay</button></form>'),
    'POST /pay' => pay($shop),
    'POST /webhook' => receive((string) file_get_contents('php://input')),
    // Returning to this page proves nothing, and the payer may arrive before the webhook.
    'GET /orders' => ($order = update($id)) ? page("Order $id", "Le 150.00: $order[status]") : page('No such order', '', 404),
    default => page('Not found', '', 404),
};

// The price comes from the shop, never from the form. The order is stored before anyone can pay it.
function pay(string $shop): void
{
    $id = bin2hex(random_bytes(16));
    file_put_contents(file_of($id), json_encode(['price' => PRICE, 'status' => 'unpaid']));
    $session = call('POST', '/v1/checkout-sessions', "order-$id", ['name' => 'Country cloth', 'reference' => $id,
        'lineItems' => [['name' => 'Country cloth', 'price' => PRICE]], 'successUrl' => "$shop/orders/$id", 'cancelUrl' => $shop]);
    header("Location: $session[redirectUrl]", true, 303);
}

function receive(string $body): void
{
    if (!is_signed($body)) {
        http_response_code(400);
        return;
    }
    ['type' => $type, 'data' => $data] = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    match ($type) {
        'payment.completed' => update($data['reference'] ?? ''),
        'refund.completed' => update(call('GET', "/v1/payments/$data[paymentId]")['reference'] ?? ''),
        default => null,
    };
    http_response_code(204);
}

/** Updates an order from its payment. Repeated calls mark the order as paid only once. Returns null for an unknown order. */
function update(string $id): ?array
{
    if (preg_match('/^[0-9a-f]{32}$/D', $id) !== 1 || !is_file(file_of($id))) {
        return null;
    }
    flock($lock = fopen(file_of($id), 'r'), LOCK_EX); // one request at a time
    $order = json_decode((string) file_get_contents(file_of($id)), true);
    $isOurs = fn ($each) => $each['amount'] == $order['price'] && $each['id'] === ($order['payment'] ?? $each['id']);
    $payment = current(array_filter(call('GET', "/v1/payments?status=completed&q=$id"), $isOurs));
    if (!$payment) {
        return $order;
    }
    $back = $payment['refund']['refunded']['value'];
    $status = $back === 0 ? 'paid' : ($back === $order['price']['value'] ? 'refunded' : 'partly refunded');
    if ($status !== $order['status']) {
        error_log("$status: order $id by $payment[id]"); // If the order was unpaid before, ship it here.
        file_put_contents(file_of($id), json_encode(['status' => $status, 'payment' => $payment['id']] + $order));
    }
    return ['status' => $status] + $order;
}

/** Orders are kept in files to keep this example short; a real shop stores them in its database. */
function file_of(string $id): string
{
    is_dir($folder = getenv('ORDERS_DIR') ?: __DIR__ . '/orders') || mkdir($folder, 0700);
    return "$folder/$id.json";
}

function page(string $title, string $html, int $status = 200): void
{
    http_response_code($status);
    echo "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>$title</title><h1>$title</h1><p>$html</p>";
}
