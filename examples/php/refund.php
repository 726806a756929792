<?php
// php refund.php pay-…         gives all of a payment back
// php refund.php pay-… 5000    or a part, in minor units
// For people of the shop: no page of it does this. A second run of the same refund is the same refund.
declare(strict_types=1);
require __DIR__ . '/pesewa.php';

[, $paymentId, $minorUnits] = $argv + [1 => '', 2 => 'all'];
$amount = $minorUnits === 'all' ? [] : ['amount' => ['currency' => 'SLE', 'value' => (int) $minorUnits]];
$refund = call('POST', '/v1/refunds', "$paymentId-$minorUnits", ['paymentId' => $paymentId, 'reason' => 'requested_by_customer'] + $amount);
echo "$refund[id] is $refund[status]\n";
