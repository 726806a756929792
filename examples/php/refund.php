<?php
// php refund.php pay-…         refunds a payment in full
// php refund.php pay-… 5000    or in part, in minor units
// For staff only: no web page can trigger a refund. Repeating the same command does not refund twice.
require __DIR__ . '/pesewa.php';

[, $paymentId, $part] = $argv + [1 => '', 2 => 'all'];
$amount = $part === 'all' ? [] : ['amount' => ['currency' => 'SLE', 'value' => (int) $part]];
$refund = call('POST', '/v1/refunds', "$paymentId-$part", ['paymentId' => $paymentId, 'reason' => 'requested_by_customer'] + $amount);
echo "$refund[id] is $refund[status]\n";
