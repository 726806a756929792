<?php
// php refund.php pay-…         gives all of a payment back
// php refund.php pay-… 5000    or a part, in minor units
// For people of the shop: no page of it does this. A second run of the same refund is the same refund.
require __DIR__ . '/pesewa.php';

[, $paymentId, $part] = $argv + [1 => '', 2 => 'all'];
$amount = $part === 'all' ? [] : ['amount' => ['currency' => 'SLE', 'value' => (int) $part]];
$refund = call('POST', '/v1/refunds', "$paymentId-$part", ['paymentId' => $paymentId, 'reason' => 'requested_by_customer'] + $amount);
echo "$refund[id] is $refund[status]\n";
