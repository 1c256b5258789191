export function browserPath(): string | undefined;
export function debianPostgres(): string | undefined;
