"""Records numbers into an outbox, says so, and waits to be killed. Arguments: url, outbox, agent, count."""

import sys
import time

from decision_ledger import Ledger
from support.decisions import decision

url, outbox, agent, count = sys.argv[1:]
ledger = Ledger(url, "key", outbox=outbox, on_error=lambda problem: None)
for n in range(int(count)):
    ledger.record(decision(agent, n))
print("recorded", flush=True)
time.sleep(600)
