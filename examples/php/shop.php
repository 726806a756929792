<?php
// A shop in PHP without a framework: php -S 127.0.0.1:3000 shop.php. The README has how to run it.
declare(strict_types=1);
require __DIR__ . '/pesewa.php';

const PRICE = ['currency' => 'SLE', 'value' => 15000]; // Le 150.00: amounts are whole minor units

$shop = getenv('SHOP_URL') ?: "http://{$_SERVER['SERVER_NAME']}:{$_SERVER['SERVER_PORT']}";
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

match (true) {
    "$_SERVER[REQUEST_METHOD] $path" === 'GET /' => page('Country cloth', shown(PRICE), '<form method="post" action="/pay"><button>Pay</button></form>'),
    "$_SERVER[REQUEST_METHOD] $path" === 'POST /pay' => pay($shop),
    "$_SERVER[REQUEST_METHOD] $path" === 'POST /webhook' => receive(),
    preg_match('#^/orders/([0-9a-f]{32})$#', $path, $found) === 1 => show_order($found[1]),
    default => page('Nothing is here', '', '', 404),
};

function pay(string $shop): void
{
    // What it costs is what the shop says, never what a form says. The order is stored before anybody can pay it.
    $id = bin2hex(random_bytes(16));
    file_put_contents(order_file($id), json_encode(['price' => PRICE, 'status' => 'unpaid']));
    $session = call('POST', '/v1/checkout-sessions', "order-$id", [
        'name' => 'Country cloth',
        'reference' => $id,
        'lineItems' => [['name' => 'Country cloth', 'price' => PRICE]],
        'successUrl' => "$shop/orders/$id",
        'cancelUrl' => $shop,
    ]);
    change_order($id, fn (array $order) => $order + ['number' => $session['orderNumber']]);
    header("Location: {$session['redirectUrl']}", true, 303);
}

function receive(): void
{
    $body = (string) file_get_contents('php://input');
    $header = fn (string $name) => (string) ($_SERVER["HTTP_WEBHOOK_$name"] ?? '');
    if (!is_signed($header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body, (string) getenv('PESEWA_WEBHOOK_SECRET'))) {
        http_response_code(400);
        return;
    }
    ['type' => $type, 'data' => $data] = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    if ($type === 'payment.completed') {
        settle($data);
    }
    if ($type === 'refund.completed') {
        note_refund(call('GET', '/v1/payments/' . rawurlencode($data['paymentId'])));
    }
    http_response_code(204);
}

// Whoever comes back proves nothing by it, so the shop reads the payment. It may also be here before the webhook is.
function show_order(string $id): void
{
    $order = change_order($id, fn (array $order) => $order);
    if ($order === null) {
        page('No such order', '', '', 404);
        return;
    }
    if ($order['status'] === 'unpaid' && isset($order['number'])) {
        array_map('settle', call('GET', "/v1/payments?status=completed&orderNumber=$order[number]"));
        $order = change_order($id, fn (array $order) => $order);
    }
    page("Order $id", shown($order['price']) . ": $order[status]", '');
}

/** Marks an order as paid, once, whichever of webhook and payer comes first, and however often. */
function settle(array $payment): void
{
    change_order((string) $payment['reference'], function (array $order) use ($payment) {
        if ($order['status'] !== 'unpaid') {
            return $order;
        }
        if ($payment['amount'] != $order['price']) {
            error_log("payment $payment[id] is not what order $payment[reference] costs");
            return $order;
        }
        error_log("paid: order $payment[reference] by $payment[id]"); // Here it is sent off.
        return ['status' => 'paid', 'paymentId' => $payment['id']] + $order;
    });
}

function note_refund(array $payment): void
{
    change_order((string) $payment['reference'], function (array $order) use ($payment) {
        if (($order['paymentId'] ?? '') !== $payment['id']) {
            return $order;
        }
        $status = $payment['refund']['refundable']['value'] === 0 ? 'refunded' : 'refunded in part';
        error_log("$status: order $payment[reference]");
        return ['status' => $status] + $order;
    });
}

/** An order is a file, so that this fits on a page: a shop keeps its orders in its database. */
function order_file(string $id): string
{
    $folder = getenv('ORDERS_DIR') ?: __DIR__ . '/orders';
    is_dir($folder) || mkdir($folder, 0700);
    return "$folder/$id.json";
}

/** One request at a time has an order. Null where there is none. */
function change_order(string $id, callable $change): ?array
{
    if (preg_match('/^[0-9a-f]{32}$/', $id) !== 1 || !is_file(order_file($id))) {
        return null;
    }
    $file = fopen(order_file($id), 'r+');
    flock($file, LOCK_EX);
    $order = $change(json_decode((string) stream_get_contents($file), true));
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($order, JSON_THROW_ON_ERROR));
    fclose($file);
    return $order;
}

/** No float comes near an amount, not even to show it. */
function shown(array $amount): string
{
    return sprintf('Le %d.%02d', intdiv($amount['value'], 100), $amount['value'] % 100);
}

function page(string $title, string $text, string $html, int $status = 200): void
{
    http_response_code($status);
    [$title, $text] = array_map('htmlspecialchars', [$title, $text]);
    echo '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">';
    echo "<title>$title</title><h1>$title</h1><p>$text</p>$html";
}
