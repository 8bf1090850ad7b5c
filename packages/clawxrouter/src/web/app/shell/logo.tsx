export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M16 6l8 3v6c0 5-3.3 8.6-8 10.5C11.3 23.6 8 20 8 15V9z" stroke-linejoin="round" />
      <path d="M12.5 15.5l2.5 2.5 4.5-5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
