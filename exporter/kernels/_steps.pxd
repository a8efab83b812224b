# What compiled kernels inline of steps in a framed grid; _steps.py is the same for interpreted
# ones.


cdef inline Py_ssize_t neighbour(Py_ssize_t position, int step, Py_ssize_t stride) noexcept nogil:
    if step == 0:
        return position - stride
    if step == 1:
        return position + stride
    if step == 2:
        return position + 1
    return position - 1
