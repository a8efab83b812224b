# cython: boundscheck=False, wraparound=False
# What compiled kernels inline of the coders' decisions; _decisions.py is the same for
# interpreted ones, and says what each function is for.


cdef inline unsigned int updated(
    unsigned int state, unsigned int bit, unsigned int[::1] rates, unsigned int limit
) noexcept nogil:
    cdef unsigned long long probability = state >> 10
    cdef unsigned int count = state & 1023
    if bit != 0:
        probability -= probability * rates[count] >> 16
    else:
        probability += (4194304 - probability) * rates[count] >> 16
    if count < limit:
        count += 1
    return <unsigned int> (probability << 10 | count)


cdef inline unsigned int unlearned(unsigned int state, unsigned int most) noexcept nogil:
    cdef unsigned int count = state & 1023
    return state - count + most if count > most else state


cdef inline (unsigned int, unsigned long long, unsigned long long, Py_ssize_t) coded(
    bint reads,
    unsigned int bit,
    unsigned int state,
    unsigned long long span,
    unsigned long long code,
    Py_ssize_t position,
    unsigned char[::1] stream,
    unsigned short[::1] probabilities,
) noexcept nogil:
    cdef unsigned long long bound
    if not reads:
        probabilities[position] = <unsigned short> (state >> 16 | 1)
        stream[position] = <unsigned char> bit
        return bit, span, code, position + 1
    bound = (span >> 16) * (state >> 16 | 1)
    if code < bound:
        span = bound
        bit = 0
    else:
        code -= bound
        span -= bound
        bit = 1
    while span < 16777216:
        span <<= 8
        code = code << 8 | (stream[position] if position < stream.shape[0] else 0)
        position += 1
    return bit, span, code, position
