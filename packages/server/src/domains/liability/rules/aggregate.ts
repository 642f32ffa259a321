export interface Pool {
  actionType: string;
  expected: number;
  squares: number;
  stake: number;
  realised: number;
}
export function aggregate(): { expected: number; p50: number; p95: number } {
  return { expected: 0, p50: 0, p95: 0 };
}
