"""
Records numbers into an outbox, starts a child by a fork that lives on, says so with the id of the child, and
waits to be killed. Arguments: url, outbox, agent, count.
"""

import os
import sys
import time

from decision_ledger import Ledger
from support.decisions import decision

url, outbox, agent, count = sys.argv[1:]
ledger = Ledger(url, "key", outbox=outbox, on_error=lambda problem: None)
for n in range(int(count)):
    ledger.record(decision(agent, n))
child = os.fork()
if child == 0:
    # Not for ever: the test that should end it may fail.
    time.sleep(60)
    os._exit(0)
print(child, flush=True)
time.sleep(600)
