<?php
declare(strict_types=1);

/** One call of the API. A POST has a key that names what is done: sent again, it is not done twice. */
function call(string $method, string $path, ?string $key = null, ?array $body = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('PESEWA_TOKEN'), 'Service-Space-Id: ' . getenv('PESEWA_SPACE')];
    if ($body !== null) {
        array_push($headers, 'Content-Type: application/json', "Idempotency-Key: $key");
    }
    $http = ['method' => $method, 'header' => $headers, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    }
    for ($try = 1; ; $try++) {
        $text = @file_get_contents(getenv('PESEWA_BASE_URL') . $path, false, stream_context_create(['http' => $http]));
        $status = $text === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        if ($status === 200) {
            return json_decode($text, true, 512, JSON_THROW_ON_ERROR)['result'];
        }
        // No response, too many requests, or trouble at the service: the same again, with the same key.
        if ($try === 3 || ($status !== 0 && $status !== 429 && $status < 500)) {
            throw new RuntimeException("$method $path: $status $text");
        }
        usleep(random_int(1_000_000, 2_000_000));
    }
}

/** Standard Webhooks: HMAC-SHA256 of id, time and the body as it came. What is older than five minutes is no longer believed. */
function is_signed(string $id, string $timestamp, string $signatures, string $body, string $secret): bool
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
    if ($key === false || $key === '') {
        throw new RuntimeException('PESEWA_WEBHOOK_SECRET is missing'); // Without one anybody could sign.
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
