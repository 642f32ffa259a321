import { ShapeError } from '@decision-ledger/proof/bundle/shape';
import { GateError } from '@decision-ledger/proof/gate';
import { readPresentation } from '@decision-ledger/proof/presentation/format';
import { readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { readReceipt } from '@decision-ledger/proof/tlog/receipt';
import { parseTlogProof } from '@decision-ledger/proof/tlog/tlog-proof';

/** A signed note of a log. */
export interface LogStatement {
  readonly kind: 'checkpoint' | 'receipt';
  readonly note: string;
}

/** The text has no signed note of a log. */
export class NoStatement extends Error {
  override readonly name = 'NoStatement';
}

/**
 * The signed notes in the text of a file: a checkpoint, a receipt, a `.tlog-proof` or a presentation. Nothing of them is
 * verified.
 * @throws NoStatement
 */
export function statementsIn(text: string): LogStatement[] {
  try {
    if (text.startsWith('{')) return ofPresentation(text);
    if (text.startsWith('c2sp.org/tlog-proof')) {
      return [{ kind: 'checkpoint', note: parseTlogProof(text).checkpoint }];
    }
    if (text.startsWith('decision-ledger/receipt/')) {
      readReceipt(text);
      return [{ kind: 'receipt', note: text }];
    }
    readCheckpoint(text);
    return [{ kind: 'checkpoint', note: text }];
  } catch (error) {
    const isRefused =
      error instanceof TlogError || error instanceof ShapeError || error instanceof GateError;
    if (isRefused) throw new NoStatement(error.message, { cause: error });
    throw error;
  }
}

function ofPresentation(text: string): LogStatement[] {
  const { checkpoint, erasures } = readPresentation(text);
  const notes = erasures === null ? [checkpoint] : [checkpoint, erasures.checkpoint];
  return notes.map((note) => ({ kind: 'checkpoint', note }));
}
