<?php
/** Calls the API. The idempotency key of a POST makes retries safe: nothing is done twice. */
function call(string $method, string $path, ?string $key = null, ?array $body = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('PESEWA_TOKEN'), 'Service-Space-Id: ' . getenv('PESEWA_SPACE'),
        ...($key === null ? [] : ["Idempotency-Key: $key"]), ...($body === null ? [] : ['Content-Type: application/json'])];
    $http = ['method' => $method, 'header' => $headers, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR)];
    for ($try = 1; ; $try++) {
        $text = @file_get_contents(getenv('PESEWA_BASE_URL') . $path, false, stream_context_create(['http' => $http]));
        $status = $text === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        if ($status === 200) {
            return json_decode($text, true, 512, JSON_THROW_ON_ERROR)['result'] ?? [];
        }
        // No response, a rate limit or a server error: retries with the same key.
        if ($try === 3 || ($status !== 0 && $status !== 429 && $status < 500)) {
            throw new RuntimeException("$method $path: $status $text");
        }
        usleep(random_int(1_000_000, 2_000_000));
    }
}

/** Verifies a webhook signature: HMAC-SHA256 of id, time and raw body, at most five minutes old. */
function is_signed(string $body): bool
{
    [$id, $time, $signatures] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
    $key = base64_decode(substr((string) getenv('PESEWA_WEBHOOK_SECRET'), strlen('whsec_')), true)
        ?: throw new RuntimeException('PESEWA_WEBHOOK_SECRET is not set'); // With an empty secret, anyone could sign events.
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $isOfKey = array_filter(explode(' ', $signatures), fn ($signature) => hash_equals($expected, $signature)) !== [];
    return $isOfKey && ctype_digit($time) && abs(time() - (int) $time) <= 300;
}
