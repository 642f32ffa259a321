/** A secret in the stored document: its fingerprint, and the sealed bytes in base64. */
const SEALED = /^sealed\.1\.([0-9a-f]{8})\.([A-Za-z0-9+/]+={0,2})$/;

const MASK = /^\*{8}[0-9a-f]{8}$/;

export interface Sealed {
  /** 8 hexadecimal characters. */
  readonly fingerprint: string;
  readonly base64: string;
}

export function sealedText({ fingerprint, base64 }: Sealed): string {
  return `sealed.1.${fingerprint}.${base64}`;
}

export function parseSealed(text: string): Sealed | null {
  const [, fingerprint, base64] = SEALED.exec(text) ?? [];
  return fingerprint === undefined || base64 === undefined ? null : { fingerprint, base64 };
}

export function maskOf(fingerprint: string): string {
  return `********${fingerprint}`;
}

export function isMask(text: string): boolean {
  return MASK.test(text);
}
