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
if os.fork() == 0:
    # Once it runs, it has left the files of its parent.
    print(os.getpid(), flush=True)
    # Not for ever: the test that should end it may fail.
    time.sleep(60)
    os._exit(0)
time.sleep(600)
